export interface Measured {
  perSecond: number;
  /** CPU time of the whole process, all its threads and what the kernel does for it. */
  perCpuSecond: number;
}
