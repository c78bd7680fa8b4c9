/** The lengths of the periods for which rollups are kept. */
export type Grain = 'hour' | 'day' | 'month';
