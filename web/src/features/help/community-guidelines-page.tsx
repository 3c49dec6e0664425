import { DocumentPage, type Section } from './components/document-page.js';
import { SupportLink } from '../../components/support-link.js';

const SECTIONS: readonly Section[] = [
  {
    title: 'What this place is for',
    body: [
      'Fan art: pictures that celebrate the work and the world of creators who agreed to it. Invent landscapes, posters, characters and moods. Be strange, be funny, be generous.',
      'Creators lend us their style and their name. Treat both as you would if they stood beside you, because sooner or later they see what you made.',
    ],
  },
  {
    title: 'What is not allowed',
    body: [
      [
        'Sexual or pornographic content, in words or in disguise.',
        'Anything sexual or suggestive that involves minors, or people who look like minors. There are no exceptions, and we report it.',
        'Real people degraded, harmed, undressed or shown doing what they did not do.',
        'Hate: attacks on people for their origin, faith, gender, orientation or disability, and the symbols of those who do that.',
        'Images that encourage self-harm, violence or crime.',
        'Somebody else’s trademark or artwork passed off as your own.',
        'Tricks to get around these rules, such as spelling a word so that a filter does not see it.',
      ],
    ],
  },
  {
    title: 'How content is moderated',
    body: [
      'Every prompt is checked before it is drawn, and every image is checked by the service that draws it. What is refused is not charged.',
      'Moderators look at what reaches a creator’s gallery, and at what is reported. They may hide an image, so that only its owner sees it, or take it down. Its owner reads which rule it broke.',
      'An image that is taken down is deleted after 24 hours. Its credits are not given back. After the third one, the account cannot generate images or buy credits for 30 days. We may suspend an account at once, or close it, when the harm is serious.',
      'A refused prompt is kept for 90 days for our moderators, and for nothing else.',
    ],
  },
  {
    title: 'Reporting',
    body: [
      'If you see an image that should not be here, use Report on its page. You do not have to be its creator or the person it is about.',
      <>
        If it is urgent, or about you, write to <SupportLink />.
      </>,
    ],
  },
  {
    title: 'Sharing',
    body: [
      'You may post what you make, with its watermark and without pretending that it is a photograph or a statement by the creator. Selling it, or using it to advertise, needs the creator’s agreement.',
    ],
  },
  {
    title: 'If we are wrong',
    body: [
      <>
        Filters make mistakes, and so do people. Write to <SupportLink /> and name the image. An admin who has not
        decided it reads your appeal within 7 days.
      </>,
    ],
  },
];

export default function CommunityGuidelinesPage(): React.ReactNode {
  return (
    <DocumentPage
      title="Community Guidelines"
      intro="A few rules that keep fan art something its subjects are glad to see."
      sections={SECTIONS}
    />
  );
}
