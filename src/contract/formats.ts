/** Formats of texts in requests and in addresses of files. */

/** A month, YYYY-MM. */
export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** An id of a creator or of a payout in the ledger. */
export const CREATOR_ID = /^[\w-]{1,100}$/;

/** The figures of a month that `get_month_closing` states: number, cents and credits of each account. */
export const FIGURES = /^\d{4}:-?\d{1,15}:-?\d{1,15}(;\d{4}:-?\d{1,15}:-?\d{1,15}){0,49}$/;
