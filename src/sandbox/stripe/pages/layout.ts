import { html, type Html } from './html.js';

export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly script?: boolean;
}

/** The frame of every page. @param prefix the path under which the sandbox is mounted */
export function layout(prefix: string, { title, body, script = false }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${prefix}/assets/sandbox.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header class="banner">
          <p><strong>Sandbox.</strong> This page stands in for Stripe. No money moves, and real cards are refused.</p>
        </header>
        ${body}
        <footer class="footer">
          <p class="small"><a href="${prefix}/dashboard">All payments of this sandbox</a></p>
        </footer>
        ${script && html`<script src="${prefix}/assets/checkout.js" defer></script>`}
      </body>
    </html> `.text;
}
