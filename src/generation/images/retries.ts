const IMAGES_PER_READ = 50;
/** Images whose files are moved or deleted at the same time. */
const AT_ONCE = 10;

/**
 * Repeats the work on images whose files a crash or a failing storage has left, the oldest first. One that fails lets
 * the others go first, also in the next sweep.
 */
export class Retries<Row> {
  /** Images that have failed since the last complete pass. They are the first of each read. */
  private failed = 0;

  /**
   * @param read images that are left, in a stable order
   * @param retry true when the image is not left any more
   */
  constructor(
    private readonly read: (limit: number, skip: number) => Promise<readonly Row[]>,
    private readonly retry: (row: Row) => Promise<boolean>,
  ) {}

  /**
   * Goes on behind the images that have failed, until none is left or a whole page fails: the storage may be down.
   * @param isStopping the process stops: the next sweep continues
   */
  async sweep(isStopping: () => boolean): Promise<void> {
    for (let goesOn = true; goesOn && !isStopping();) {
      const rows = await this.read(IMAGES_PER_READ, this.failed);
      let done = 0;
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        const ended = await Promise.all(rows.slice(from, from + AT_ONCE).map((row) => this.retry(row)));
        done += ended.filter(Boolean).length;
      }
      const isLastPage = rows.length < IMAGES_PER_READ;
      this.failed = isLastPage ? 0 : this.failed + rows.length - done;
      goesOn = !isLastPage && done > 0;
    }
  }
}
