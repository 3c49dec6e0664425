let arriving = 0;

/** Counts this code as arriving until it is loaded or has failed. */
export async function trackCode<T>(code: Promise<T>): Promise<T> {
  arriving += 1;
  try {
    return await code;
  } finally {
    arriving -= 1;
  }
}

/** True while code of the page is loaded: a slow answer then says nothing about the server. */
export function codeArrives(): boolean {
  return arriving > 0;
}
