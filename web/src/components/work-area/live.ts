/** Query options of figures that are watched: fetched again every 30 seconds and when the window gets the focus. */
export const liveTimings = {
  staleTime: 10_000,
  refetchInterval: 30_000,
  refetchOnWindowFocus: true,
} as const;
