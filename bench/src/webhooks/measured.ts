export interface Measured {
  perSecond: number;
  /** CPU time of the whole process, including all threads and kernel time. */
  perCpuSecond: number;
}
