import { Link } from 'react-router-dom';
import { DocumentPage, type Section } from './components/document-page.js';
import { REAPPLY_AFTER_DAYS } from '../../../../src/contract/creator-terms.js';
import { SupportLink } from '../../components/support-link.js';

const LINK = 'text-ink underline underline-offset-4 hover:no-underline';

const SECTIONS: readonly Section[] = [
  {
    title: 'Who can join',
    body: [
      [
        'You are 18 or older.',
        'You apply for yourself: the name, the likeness and the style are yours.',
        'You have a public Instagram account, and you can show that it is yours.',
      ],
    ],
  },
  {
    title: 'Your works',
    body: [
      'A model learns your style from works that you made yourself. Have 20 to 30 of them ready, in one style, as large as you have them.',
      [
        'No works by others, or made together with people who have not agreed.',
        'No photographs of other people.',
        'Nothing that the Community Guidelines forbid.',
      ],
    ],
  },
  {
    title: 'How we review',
    body: [
      'A person reads every application. We verify your identity, your age and your Instagram account, and we record how. The answer appears on the creator page, where you applied.',
      'Then a representative contacts you and trains your model with you. You test it, and it opens to fans.',
    ],
  },
  {
    title: 'Why applications are rejected',
    body: [
      [
        'The Instagram account could not be confirmed.',
        'The works are by several people, or by somebody else.',
        'The applicant is under 18.',
        'The works do not follow the Community Guidelines.',
      ],
      `You can apply again ${REAPPLY_AFTER_DAYS} days after the decision.`,
    ],
  },
  {
    title: 'What you agree to',
    body: [
      <>
        The{' '}
        <Link to="/creator-terms" className={LINK}>
          Creator Terms of Use
        </Link>{' '}
        and the{' '}
        <Link to="/community-guidelines" className={LINK}>
          Community Guidelines
        </Link>
        . You keep your likeness, earn half of what fans pay for your images, and can leave at any time.
      </>,
      <>
        Questions? Write to <SupportLink />.
      </>,
    ],
  },
];

/** `/creator-requirements`: who can become a creator, and how applications are reviewed. */
export default function CreatorRequirementsPage(): React.ReactNode {
  return (
    <DocumentPage
      title="Creator Requirements"
      intro={
        <>
          Read this before you{' '}
          <Link to="/creator" className={LINK}>
            apply
          </Link>
          .
        </>
      }
      sections={SECTIONS}
    />
  );
}
