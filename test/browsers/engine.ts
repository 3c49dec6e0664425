/** The few acts that differ between browser engines; `visitor.ts` builds the others from them. */
export interface Tab {
  goto(address: string): Promise<void>;
  back(): Promise<void>;
  /** Runs a function in the page. It can use its arguments only. */
  evaluate<T, A extends unknown[]>(script: (...args: A) => T, ...args: A): Promise<T>;
  /** Clicks with the mouse at a point of the viewport. */
  clickAt(x: number, y: number): Promise<void>;
  /** Types into the focused field. */
  type(text: string): Promise<void>;
  pressEnter(): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Engine {
  /** The folder that gets downloaded files. */
  readonly downloads: string;
  /** A tab whose cookies and storage are empty. At most one is open. */
  open(): Promise<Tab>;
  close(): Promise<void>;
}
