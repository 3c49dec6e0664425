/** A downloaded file. */
export interface DownloadedFile {
  readonly blob: Blob;
  readonly name: string;
}

/** The file name that the server gave. */
export function fileName(response: Response, fallback: string): string {
  const header = response.headers.get('content-disposition') ?? '';
  return /filename="([\w.-]+)"/.exec(header)?.[1] ?? fallback;
}

/** Saves a file among the person's downloads. */
export function saveFile({ blob, name }: DownloadedFile): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read the content by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
