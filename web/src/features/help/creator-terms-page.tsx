import {
  CREATOR_TERMS,
  CREATOR_TERMS_EFFECTIVE,
  CREATOR_TERMS_VERSION,
} from '../../../../src/contract/creator-terms.js';
import { DocumentPage, type Section } from './components/document-page.js';

const SECTIONS: readonly Section[] = CREATOR_TERMS.map(({ title, paragraphs }, index) => ({
  title: `${index + 1}. ${title}`,
  body: paragraphs,
}));

/** `/creator-terms`: the text that creators accept, word for word. */
export default function CreatorTermsPage(): React.ReactNode {
  return (
    <DocumentPage
      title="Creator Terms of Use"
      effective={CREATOR_TERMS_EFFECTIVE}
      intro={`Version ${CREATOR_TERMS_VERSION}. You own your likeness, and you can exit at any time.`}
      sections={SECTIONS}
    />
  );
}
