/** The year of the browser's clock and time zone, for copyright lines. */
export const currentYear = (): number => new Date().getFullYear();
