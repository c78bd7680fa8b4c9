/** A rectangle on a page: the page from 1, the rest in shares of the page as it is shown. */
export interface Region {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}
