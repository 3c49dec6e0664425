import { Link } from 'react-router-dom';
import { PAYOUT_RECORD_YEARS } from '../../../../src/contract/closing.js';
import { DocumentPage, type Section } from './components/document-page.js';
import { SupportLink } from '../../components/support-link.js';

const ACCOUNT = (
  <Link to="/account" className="text-ink underline underline-offset-4 hover:no-underline">
    Account
  </Link>
);

const SECTIONS: readonly Section[] = [
  {
    title: 'What we know about you',
    body: [
      [
        'Your account: e-mail address, and a name and picture if you give one, kept by our identity provider and mirrored here.',
        'What you create: prompts, images, when they were made, and whether they succeeded.',
        'Your credits: every grant, purchase, deduction and refund, under an opaque identifier without your name or e-mail address.',
        'For creators: your applications with our decisions and how you were verified, and your consent: which terms you accepted and when, with your e-mail address and browser.',
        'Your reports of images, and prompts that were refused.',
        'Our decisions about your images, and how long your account is suspended, with the reason.',
        'Your purchases: what you bought, when and for how much. Card details stay with the payment processor.',
        'Technical data: your network address, for as long as limits against abuse need it, and server logs without prompts, e-mail addresses or tokens.',
      ],
    ],
  },
  {
    title: 'Why we use it',
    body: [
      'To run the service you asked for: to draw your images, keep your balance right, pay creators, answer you, and keep people safe. We do not sell it, and we show no advertising.',
    ],
  },
  {
    title: 'Who else sees it',
    body: [
      [
        'The identity provider, which signs you in.',
        'The image provider, which receives the prompt, and not who wrote it. It deletes prompts and outputs after about an hour.',
        'The payment processor, which handles purchases.',
        'Moderators, who see refused prompts, reported images, and images whose creator asks us to take them down.',
        'The creator in whose style you made an image: the image with its prompt and time, unless it is hidden or deleted, and how many credits paid for it, with their price and the day on which they were bought. Your name is not shown.',
        'Anyone with the link of a finished image, and everyone when it is in a creator’s gallery. Your name is not shown with it.',
        'Authorities, where the law requires it.',
      ],
    ],
  },
  {
    title: 'Cookies and local storage',
    body: [
      'We use what is needed to keep you signed in, to send your requests to the same server, to remember an unfinished prompt and your last prompts, and to remember that you dismissed a banner. There are no tracking cookies.',
    ],
  },
  {
    title: 'How long we keep it',
    body: [
      'Images and prompts stay until you delete them or close your account. Refused prompts are deleted after 90 days at the latest. A prompt that a creator’s own rule stops is not stored. When we take an image down, it and its prompt are erased after 24 hours. Our admins’ acts are logged; the network addresses of their requests are erased after 13 months. The record of credits and payments is kept, because accounting law requires it and every balance must remain provable.',
    ],
  },
  {
    title: 'Closing your account',
    body: [
      <>
        You can close your account on the page {ACCOUNT}. Before you confirm, it shows your unspent purchased credits:
        you choose whether they are refunded or given up. Closing cannot be undone.
      </>,
      'At once, nothing of yours is public: your images, prompts and share pages are gone, and nothing new can be started.',
      'Then, usually within minutes, these are erased:',
      [
        'images in progress, which are cancelled first and whose credits are returned,',
        'your images with their files, and your prompts, also the copies in refused prompts and in reports,',
        'the words of the reports that you made,',
        'your customer record at the payment processor, and the links to your receipts,',
        'your user at the identity provider, and your name, e-mail address and picture here,',
        'for creators: page, portrait, biography, links, blocked words, the reasons of take-down requests, and what names you in applications, decisions and records of consent. Images of fans in your style become visible to those fans only.',
      ],
      'These stay:',
      [
        'The record of credits and payments, and the times and costs of your generations: under an opaque identifier, without name, e-mail address, prompt or image.',
        'A keyed hash of your e-mail address, so that the sign-up bonus is granted once to a person. It cannot be read back.',
        'For creators: the times, versions and text hashes of the terms that you accepted, and the times of our decisions.',
        `For creators with earnings: name, e-mail address and encrypted payout details for ${PAYOUT_RECORD_YEARS} years, which tax law requires for payouts.`,
        'The record of the closing itself: what was erased and when, without personal data. You receive its address as a receipt.',
        'At the payment processor: payments, refunds and disputes, with the e-mail address that you gave there. The processor is responsible for them, and we cannot delete them.',
        'Copies of your images that other people or caches made while they were public.',
      ],
      'If your user is deleted at the identity provider, the account is closed in the same way, and unspent purchased credits are refunded.',
    ],
  },
  {
    title: 'Your rights',
    body: [
      <>
        On the page {ACCOUNT} you can download everything that we keep about you, and close your account. You can also
        ask what we know about you, have it corrected, and object to a use of it. Write to <SupportLink />; we answer
        within 30 days. You can also complain to your data protection authority.
      </>,
    ],
  },
  {
    title: 'Children',
    body: [
      'Fanvas is not for children under 13, and we delete their data when we learn of it. Under 18, a parent or guardian must agree.',
    ],
  },
  {
    title: 'Security',
    body: [
      'Traffic is encrypted, access is limited to those who need it, and the credit record is chained and signed, so that a change to it would be noticed. No system is perfect; if something happens that concerns you, we tell you.',
    ],
  },
  {
    title: 'Changes',
    body: [
      'When this policy changes in a way that matters to you, we say so first. The date at the top is that of the current version.',
    ],
  },
];

export default function PrivacyPolicyPage(): React.ReactNode {
  return (
    <DocumentPage
      title="Privacy Policy"
      effective="07/31/2025"
      intro="What Fanvas knows about you, why, who else sees it, and for how long."
      sections={SECTIONS}
    />
  );
}
