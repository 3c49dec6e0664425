/**
 * Style of the sandbox's pages. It differs from the shop's and from a real checkout. Contrast: text 4.5:1, edges 3:1.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --side: #f4f6f5; --ink: #17211d; --ink-2: #4d5a54; --line: #dde3e0; --edge: #76837d;
  --accent: #0d6b50; --accent-hover: #0a5942; --on-accent: #ffffff; --accent-wash: #e5f2ed;
  --warn: #5c4200; --warn-wash: #fff1cc; --tape-a: #f2b705; --tape-b: #2b2618;
  --bad: #a8201a; --bad-wash: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #111614; --side: #171d1a; --ink: #eef3f0; --ink-2: #a9b6b0; --line: #2a332f; --edge: #74827b;
    --accent: #63d2ae; --accent-hover: #7fdfc0; --on-accent: #06251b; --accent-wash: #12291f;
    --warn: #f0d48a; --warn-wash: #2a230f; --tape-a: #d9a404; --tape-b: #15120a;
    --bad: #ff9b94; --bad-wash: #301513;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--bg); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
}
h1, h2, h3, p, ul, dl, dd, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
.mono { font-family: ui-monospace, 'SFMono-Regular', Menlo, 'DejaVu Sans Mono', monospace; font-size: 14px; }
.small, .figures dt { color: var(--ink-2); }
.small, .figures dt, .banner p, .more dl, .badge, .error, label { font-size: 14px; line-height: 20px; }
.break { overflow-wrap: anywhere; }

.banner { background: var(--warn-wash); color: var(--warn); }
.banner::before {
  content: ''; display: block; height: 8px;
  background: repeating-linear-gradient(-45deg, var(--tape-a) 0 12px, var(--tape-b) 12px 24px);
}
.banner p { max-width: 1080px; margin: 0 auto; padding: 10px 24px; }

.checkout { flex: 1; display: grid; grid-template: 'order form' auto 'cards form' 1fr / minmax(0, 1fr) minmax(0, 1fr); }
.order, .cards { background: var(--side); padding: 48px 56px 0 24px; }
.order > *, .cards > * { max-width: 460px; margin-left: auto; }
.order { grid-area: order; }
.cards { grid-area: cards; padding-top: 40px; padding-bottom: 48px; }
.pay { grid-area: form; padding: 48px 24px 48px 56px; border-left: 1px solid var(--line); }
.pay > * { max-width: 440px; }
.back { display: inline-flex; align-items: center; min-height: 24px; gap: 8px; color: var(--ink-2); font-size: 14px; text-decoration: none; }
.back:hover { color: var(--ink); text-decoration: underline; }
.order h1 { font-size: 16px; line-height: 24px; font-weight: 500; color: var(--ink-2); margin-top: 24px; }
.total { display: block; margin-top: 4px; font-size: 44px; line-height: 52px; font-weight: 620; letter-spacing: -0.02em; color: var(--ink); font-variant-numeric: tabular-nums; }
.items { margin-top: 24px; border-top: 1px solid var(--line); }
.items li { display: flex; justify-content: space-between; gap: 24px; padding: 12px 0; border-bottom: 1px solid var(--line); }
.items span:last-child { font-variant-numeric: tabular-nums; white-space: nowrap; }
.items .due { font-weight: 620; border-bottom: 0; }

h2 { font-size: 18px; line-height: 24px; font-weight: 620; letter-spacing: -0.005em; }
.card-list { margin-top: 12px; display: grid; gap: 8px; }
.test-card {
  width: 100%; min-height: 48px; padding: 8px 16px; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 16px;
  border: 1px solid var(--edge); border-radius: 10px; background: var(--bg); color: var(--ink); font: inherit; text-align: left; cursor: pointer;
}
.test-card:hover { border-color: var(--accent); }
.test-card[aria-pressed='true'] { border-color: var(--accent); background: var(--accent-wash); box-shadow: inset 0 0 0 1px var(--accent); }
.test-card span:first-child { font-weight: 560; }
.test-card .mono { color: var(--ink-2); white-space: nowrap; }
.cards details { margin-top: 8px; }
summary { min-height: 32px; padding: 4px 0; cursor: pointer; color: var(--ink-2); font-size: 14px; }
summary:hover { color: var(--ink); }
.cards .small { margin-top: 8px; }

form { display: block; }
.field { margin-top: 20px; }
.row { display: grid; grid-template-columns: 1fr 1fr; gap: 0 16px; }
label { display: block; font-weight: 560; }
input {
  display: block; width: 100%; height: 48px; margin-top: 6px; padding: 0 14px; border: 1px solid var(--edge); border-radius: 10px;
  background: var(--bg); color: var(--ink); font: inherit; font-variant-numeric: tabular-nums;
}
input::placeholder { color: var(--ink-2); opacity: 1; }
input:focus-visible { outline: 2px solid var(--accent); outline-offset: 0; border-color: var(--accent); }
input[readonly] { background: var(--side); color: var(--ink-2); border-color: var(--line); }
input[aria-invalid='true'] { border-color: var(--bad); }
.error { margin-top: 6px; color: var(--bad); }
.alert, .note { margin-top: 20px; padding: 12px 16px; border-radius: 10px; outline-offset: 3px; }
.alert { background: var(--bad-wash); color: var(--bad); border: 1px solid currentColor; }
.note { background: var(--accent-wash); color: var(--ink); }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 40px; padding: 0 16px; border: 1px solid var(--edge); border-radius: 10px;
  background: var(--bg); color: var(--ink); font: inherit; font-weight: 560; text-decoration: none; cursor: pointer;
}
.button:hover { border-color: var(--accent); }
.button.primary { min-height: 48px; border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.primary:hover { background: var(--accent-hover); border-color: var(--accent-hover); }
.button[aria-disabled='true'] { opacity: 0.75; cursor: default; }
.pay .button.primary { width: 100%; margin-top: 28px; }
.pay .small { margin-top: 12px; }

.message { flex: 1; width: 100%; max-width: 608px; margin: 0 auto; padding: 64px 24px; }
.message h1, .board h1 { font-size: 32px; line-height: 40px; font-weight: 620; letter-spacing: -0.015em; }
.message p { margin-top: 12px; }
.message .button { margin-top: 28px; }
.message.more dl { margin-top: 28px; }

.footer { border-top: 1px solid var(--line); }
.footer p { max-width: 1080px; margin: 0 auto; padding: 12px 24px; display: flex; flex-wrap: wrap; gap: 4px 24px; }
.footer a { color: inherit; display: inline-block; min-height: 24px; }

.board { flex: 1; width: 100%; max-width: 1080px; margin: 0 auto; padding: 40px 24px 64px; }
.board > p { margin-top: 8px; max-width: 64ch; }
.figures { display: flex; flex-wrap: wrap; gap: 16px 48px; margin-top: 24px; }
.figures dd { font-size: 24px; line-height: 32px; font-weight: 620; font-variant-numeric: tabular-nums; }
.payments { margin-top: 32px; border-top: 1px solid var(--line); }
.payment { padding: 20px 0; border-bottom: 1px solid var(--line); }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; }
.head h2 { font-variant-numeric: tabular-nums; }
.badge { padding: 2px 10px; border-radius: 99px; background: var(--side); color: var(--ink-2); font-weight: 560; }
.badge.good { background: var(--accent-wash); color: var(--accent); }
.badge.warn { background: var(--warn-wash); color: var(--warn); }
.badge.bad { background: var(--bad-wash); color: var(--bad); }
.head .small { margin-left: auto; }
.payment > .small { margin-top: 4px; }
.actions { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 12px; margin-top: 12px; }
.actions form { display: flex; align-items: flex-end; gap: 8px; }
.more { margin-top: 8px; }
.actions input { width: 120px; height: 40px; }
.more dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin-top: 8px; }
.more dt { color: var(--ink-2); }
.events { margin-top: 12px; }
.events li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; padding: 6px 0; border-top: 1px solid var(--line); font-size: 14px; }
.events form { margin-left: auto; }
.events .button { min-height: 32px; padding: 0 12px; font-size: 14px; }
.pager { display: flex; justify-content: flex-end; margin-top: 24px; }

@media (max-width: 820px) {
  .checkout { display: block; }
  .order, .cards, .pay { padding: 28px 20px 0; border-left: 0; }
  .order > *, .cards > *, .pay > * { max-width: none; }
  .cards { padding: 28px 20px; border-bottom: 1px solid var(--line); }
  .pay { padding-bottom: 40px; }
  .total { font-size: 40px; line-height: 48px; }
  .banner p, .footer p { padding-left: 20px; padding-right: 20px; }
  .message, .board { padding: 40px 20px; }
  .head .small { margin-left: 0; width: 100%; }
}
@media (max-width: 420px) {
  .events li { display: grid; grid-template-columns: minmax(0, 1fr) auto; }
  .events li > .mono { grid-column: 1 / -1; }
  .test-card { padding: 8px 14px; }
  .more dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .more dd { margin-bottom: 6px; }
}
`;

/** Fills in test cards without a request, groups digits, and shows progress. The page works without it. */
export const SCRIPT = `
const form = document.getElementById('checkout');
const field = (name) => form.elements.namedItem(name);
const status = document.getElementById('status');
const group = (text) => text.replace(/\\D/g, '').slice(0, 16).replace(/(\\d{4})(?=\\d)/g, '$1 ');
const cards = [...document.querySelectorAll('.test-card')];
const mark = () => {
  const digits = field('number').value.replace(/\\D/g, '');
  for (const card of cards) card.setAttribute('aria-pressed', String(card.value === digits));
};
for (const card of cards) {
  card.addEventListener('click', (event) => {
    event.preventDefault();
    field('number').value = group(card.value);
    field('expiry').value = '12 / 34';
    field('cvc').value = '123';
    if (!field('name').value) field('name').value = 'Alex Example';
    mark();
    status.textContent = card.dataset.label + ': the card is filled in.';
    (field('email').value ? form.querySelector('button[type=submit]') : field('email')).focus();
  });
}
field('number').addEventListener('input', () => {
  const input = field('number');
  if (input.selectionStart === input.value.length) input.value = group(input.value);
  mark();
});
field('expiry').addEventListener('input', (event) => {
  const input = field('expiry');
  if (event.inputType === 'deleteContentBackward') return;
  const digits = input.value.replace(/\\D/g, '').slice(0, 4);
  if (digits.length >= 2 && input.selectionStart === input.value.length) input.value = digits.slice(0, 2) + ' / ' + digits.slice(2);
});
const submit = form.querySelector('button[type=submit]');
const label = submit.textContent;
let sent = false;
form.addEventListener('submit', (event) => {
  if (sent) event.preventDefault();
  sent = true;
  submit.setAttribute('aria-disabled', 'true');
  submit.textContent = 'Paying…';
});
addEventListener('pageshow', () => {
  sent = false;
  submit.removeAttribute('aria-disabled');
  submit.textContent = label;
  mark();
});
`;
