/** The Creator Terms of Use (creator spec, sections 2 and 9): shown to people, and hashed for the record of consent. */

/** Version of the text below. A changed text needs a new version. */
export const CREATOR_TERMS_VERSION = 'v1.0';

export const CREATOR_TERMS_EFFECTIVE = '7/31/2025';

/** Method that every acceptance is recorded with. */
export const ACCEPTANCE_METHOD = 'creator_application_form';

/** Longest user agent that is stored, in UTF-16 units. */
export const USER_AGENT_MAX_LENGTH = 1_000;

/** Days after which a rejected person may apply again. */
export const REAPPLY_AFTER_DAYS = 90;

/** The words that a person confirms with 'I Accept Terms'. Stored with each acceptance. */
export const ACCEPTANCE_STATEMENT =
  'I have read and accept the Creator Terms of Use v1.0. I confirm that I am 18 or older, and that the likeness is mine.';

export interface TermsSection {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export const CREATOR_TERMS: readonly TermsSection[] = [
  {
    title: 'Who may join',
    paragraphs: [
      'You must be at least 18 years old. You confirm this when you accept these terms, and we verify it before we approve you.',
      'You apply for yourself. You must be the person whose name, likeness and style fans will ask for, and the Instagram handle that you give must be yours. We verify your identity and your control of that handle, and we record how.',
      'One person has one creator account. We may reject an application. We then tell you why, and you may apply again after 90 days.',
    ],
  },
  {
    title: 'Your likeness and your works',
    paragraphs: [
      'Your name, face, voice and style stay yours. These terms transfer none of them to Fanvas or to a fan.',
      'You allow Fanvas to train one image model on the works that you give us for this purpose, to draw images in your style that fans order, and to show your name, portrait and curated gallery on your page. This permission is not exclusive, covers nothing else, and ends when you withdraw it.',
      'You confirm that you own the works you give us, or have the right to use them for this, and that they show no other person who has not agreed.',
      'We do not sell your model, do not let others train on it, and do not use your works for any other model.',
      'Fans may keep and share the images that they ordered, for personal purposes and with the watermark. Commercial use of an image needs your agreement, which we cannot give for you.',
    ],
  },
  {
    title: 'Consent, and withdrawing it',
    paragraphs: [
      'When you accept, we store the version of these terms, a fingerprint of their exact text, the time, your e-mail address and your browser’s name. You can read this record in your dashboard. We never change it; later acts are added to it.',
      'You can pause at any time. While you pause, no new image can be ordered; images in progress are finished, and your gallery stays.',
      'You can withdraw your consent at any time, without a reason. From that moment no new image is drawn, images in progress are stopped and their fans get their credits back, and your page and gallery are no longer public. We delete your model and the works it was trained on within 30 days.',
      'Images that fans ordered before stay with those fans, and only they can open them. What you earned is still paid.',
      'You can accept these terms again later. Your page then returns as it was; a deleted model must be trained again.',
      'You can list words that no prompt in your style may contain, take an image out of your gallery, and ask us to remove any image in your style. We hide such an image at once and decide within 48 hours.',
    ],
  },
  {
    title: 'Revenue sharing',
    paragraphs: [
      'For each image that is delivered from your model you receive half of what the fan paid for the credits it used. At the list price an image takes 10 credits that cost 10 cents each; your half is 50 cents.',
      'Credits that nobody paid for earn nothing. These are daily credits, bonus credits and credits that we give away. If an image uses both kinds, only the paid part counts.',
      'Images that you make in your own style earn nothing. Images on the test tab of your dashboard are free and earn nothing.',
      'An earning begins when the image is delivered. An image that failed, was cancelled or timed out is refunded to the fan and earns nothing.',
      'An earning is pending for 30 days and then payable. If the fan’s payment is refunded or disputed, at any time, your half of it is taken back: from what is pending, then from what is payable, then from later earnings. If the dispute is won, it is given back. Your dashboard names the reason of each change.',
    ],
  },
  {
    title: 'Payments',
    paragraphs: [
      'We pay what is payable in US dollars, in monthly runs, to the account that you name in your dashboard. A run may have a minimum; a smaller amount waits for the next run.',
      'After you change your payout details, payouts are held for 7 days. This protects you if somebody else gets into your account.',
      'You can see every earning, the image it comes from and how it was calculated, and you can download all of them. Please report a mistake within 12 months.',
      'You are responsible for your own taxes. We may need a tax form before we pay, and must withhold tax where the law says so.',
    ],
  },
  {
    title: 'Prohibited use',
    paragraphs: [
      'You may not give us works or details that belong to somebody else, apply in another person’s name, or let another person use your account.',
      'You may not order images in your own style with payments that are not yours, ask others to do so, or raise your earnings by any other trick. We may hold and take back such earnings.',
      'You may not use Fanvas to publish what the Community Guidelines forbid, to get at the prompts or the identity of fans, or to test or evade the technical limits.',
    ],
  },
  {
    title: 'Moderation',
    paragraphs: [
      'Prompts are checked before an image is drawn, and images can be reported. We refuse sexual content, content that sexualises or endangers minors, hate, and deception about real people.',
      'We choose the images of your public gallery together with you: our moderators curate it, and you can take any image out.',
      'We may hide or remove an image, pause your page or reject a change when these terms, the Community Guidelines or the law require it. We tell you why. You can object by answering that message.',
    ],
  },
  {
    title: 'Termination',
    paragraphs: [
      'You can leave at any time by withdrawing your consent or by closing your account.',
      'We may end this agreement with 30 days’ notice, or at once if you break these terms seriously, if we cannot verify who you are, or if the law requires it.',
      'When it ends, section 3 applies as if you had withdrawn. What you earned honestly is paid. We keep the records that tax law requires, for as long as it requires them.',
    ],
  },
  {
    title: 'Liability',
    paragraphs: [
      'We provide Fanvas as it is. We work to keep it available and your model safe, but we do not promise uninterrupted service or a certain income.',
      'Neither side is liable for indirect or consequential loss, or for lost profit.',
      'Our total liability to you is limited to the greater of the amounts that we paid to you in the last 12 months or $100.',
      'These limits do not apply where the law does not allow them, nor to intent, to fraud, or to the use of your likeness beyond your consent.',
    ],
  },
  {
    title: 'Disputes',
    paragraphs: [
      'Please write to us first. For 30 days both sides try to resolve the dispute informally.',
      'If that fails, the dispute is decided by binding arbitration before one arbitrator, in English, in writing or by video unless the arbitrator decides otherwise. Each side may instead use a small claims court, and may ask a court for an order that protects a likeness, a work or a trademark.',
      'Disputes are decided one by one, and not as a class action. You may refuse this section by a message to support within 30 days after you first accept these terms.',
      'If the law of the place where you live gives you rights that a contract cannot take away, you keep them.',
    ],
  },
  {
    title: 'Copyright notices',
    paragraphs: [
      'If you believe that an image or a work on Fanvas infringes your copyright, send a notice to support under the Digital Millennium Copyright Act (DMCA): name the work, the address of the image, how we can reach you, a statement in good faith that the use is not allowed, a statement under penalty of perjury that the notice is accurate and that you may act for the owner, and your signature.',
      'We hide the image, tell the person who made it, and pass on a counter-notice. Accounts that infringe repeatedly are closed.',
      'For an image in your own style you do not need a notice: use the take-down in your dashboard.',
    ],
  },
  {
    title: 'Changes and notices',
    paragraphs: [
      'We may change these terms. A new version has a new number, and we ask you to accept it before it applies to you. Until then your accepted version applies.',
      'What we have to tell you appears on your creator page. You can write to us at the support address on the FAQ page.',
      'If a part of these terms is invalid, the rest stays valid.',
    ],
  },
];

/** The exact text that is hashed: titles and paragraphs, each on its own line. */
export function creatorTermsText(): string {
  const lines = CREATOR_TERMS.flatMap(({ title, paragraphs }, index) => [`${index + 1}. ${title}`, ...paragraphs]);
  return [`Creator Terms of Use ${CREATOR_TERMS_VERSION}, effective ${CREATOR_TERMS_EFFECTIVE}`, ...lines, ''].join(
    '\n',
  );
}
