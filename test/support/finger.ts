import { type CDPSession, type Page } from 'playwright-core';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger on the screen of a page. Chromium handles its touches like those of a real screen, gestures included. */
export class Finger {
  private at: Point = { x: 0, y: 0 };
  private isDown = false;

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  /** The context of the page must have touch. */
  static async on(page: Page): Promise<Finger> {
    return new Finger(page, await page.context().newCDPSession(page));
  }

  async down(at: Point): Promise<void> {
    this.at = at;
    await this.send('touchStart', [at]);
  }

  /** Moves in ten steps, one a frame. */
  async moveTo({ x, y }: Point): Promise<void> {
    const from = this.at;
    for (let step = 1; step <= 10; step += 1) {
      this.at = { x: from.x + ((x - from.x) * step) / 10, y: from.y + ((y - from.y) * step) / 10 };
      await this.send('touchMove', [this.at]);
      await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  }

  /** Lifts all fingers that are still on the screen. */
  async up(): Promise<void> {
    if (this.isDown) await this.send('touchEnd', []);
  }

  /** The browser or the system takes the finger away, as for a call. */
  async cancel(): Promise<void> {
    await this.send('touchCancel', []);
  }

  /** A second finger. */
  async downAlso(second: Point): Promise<void> {
    await this.send('touchStart', [this.at, second]);
  }

  private async send(
    type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
    points: readonly Point[],
  ): Promise<void> {
    const touchPoints = points.map((point, id) => ({ ...point, id }));
    this.isDown = points.length > 0;
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}
