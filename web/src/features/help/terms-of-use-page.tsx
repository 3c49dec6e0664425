import { DocumentPage, type Section } from './components/document-page.js';
import { SupportLink } from '../../components/support-link.js';
import { IMAGE_PRICE } from '../../lib/image-price.js';

const SECTIONS: readonly Section[] = [
  {
    title: 'Who may use Fanvas',
    body: [
      'You must be at least 13 years old. If you are under 18, a parent or guardian must give permission and is responsible for how you use the service. One person has one account; keep your sign-in to yourself.',
    ],
  },
  {
    title: 'What Fanvas does',
    body: [
      'You describe a picture, and a model trained for a creator who consented to it draws the picture. Results differ from run to run; we cannot promise that an image is what you imagined. Every image carries a watermark.',
    ],
  },
  {
    title: 'Credits',
    body: [
      `Credits are the means of paying for images inside Fanvas. ${IMAGE_PRICE} Credits are not money, cannot be transferred between accounts and are not paid out in cash, except where the law or these terms say otherwise.`,
      [
        'Daily credits are granted once a day (UTC) and lapse at the end of that day.',
        'Bonus credits, such as the 30 at sign-up, do not lapse.',
        'Purchased credits do not expire.',
        'Daily credits are used first, then bonus credits, then purchased ones.',
      ],
    ],
  },
  {
    title: 'When an image does not arrive',
    body: [
      'If a generation fails, is cancelled by you, or is not finished within 15 minutes, its credits are returned automatically to the kinds they were taken from. A daily credit that has lapsed meanwhile returns for the rest of that day.',
    ],
  },
  {
    title: 'Purchases and refunds',
    body: [
      'Prices are in US dollars and shown before you pay. Payments are handled by our payment processor; we never see your card number. Credits are added once the payment is confirmed.',
      'Unspent purchased credits can be refunded on request. If a payment is refunded or disputed, the credits that it bought are taken back; those that were spent already are owed and are deducted from later purchases.',
    ],
  },
  {
    title: 'Your prompts and images',
    body: [
      'You are responsible for what you ask for. Prompts and images must follow the Community Guidelines; we may refuse, remove or hide what does not.',
      'You may use your images for personal purposes and share them with their watermark. Rights in a creator’s name and likeness stay with the creator: commercial use needs the creator’s agreement. You allow us to store your images, to show finished ones to people who have their link, and to show them in the creator’s gallery.',
    ],
  },
  {
    title: 'What you may not do',
    body: [
      [
        'Break the law or the Community Guidelines, or violate another person’s rights.',
        'Get around limits, filters, prices or the watermark.',
        'Use the service by automated means that we did not agree to, or to train other models.',
        'Pretend that an image is a photograph of, or a statement by, a real person.',
      ],
    ],
  },
  {
    title: 'Creators',
    body: [
      'Creators take part under terms of their own. When a creator takes a break, new images of theirs can no longer be created; those that exist stay viewable. When a creator closes their account, those that exist can be seen by the fans who made them only.',
    ],
  },
  {
    title: 'Closing an account',
    body: [
      'You can close your account at any time, on the page Account. Unspent purchased credits are then refunded, unless you give them up; free credits lapse. The Privacy Policy names what is erased and what is kept. We may suspend it, so that it cannot generate images or buy credits for a time, or close it, if these terms or the Community Guidelines are broken seriously or repeatedly; a suspended account keeps its credits. Where we close an account without such a reason, unspent purchased credits are refunded.',
    ],
  },
  {
    title: 'Liability',
    body: [
      'The service is provided as it is. As far as the law allows, our liability for all claims is limited to the greater of 100 US dollars or what you paid us in the twelve months before the claim arose. Nothing here limits liability that cannot be limited by law, or your rights as a consumer.',
    ],
  },
  {
    title: 'Disputes',
    body: [
      <>
        Please write to <SupportLink /> first; most problems can be solved within 30 days. Where that fails, the courts
        and the law that apply are those that mandatory consumer law gives you.
      </>,
    ],
  },
  {
    title: 'Copyright complaints',
    body: [
      <>
        If an image infringes your copyright, send <SupportLink /> the image’s link, a description of your work, your
        contact details and a statement, in good faith and under penalty of perjury, that the use is not authorised. We
        remove what infringes.
      </>,
    ],
  },
  {
    title: 'Changes',
    body: [
      'When these terms change in a way that matters to you, we announce it before the change takes effect. The date at the top is that of the current version.',
    ],
  },
];

export default function TermsOfUsePage(): React.ReactNode {
  return (
    <DocumentPage
      title="Terms of Use"
      effective="07/31/2025"
      intro="What you can expect of us, and what we expect of you. By using Fanvas you agree to it."
      sections={SECTIONS}
    />
  );
}
