import { TermsAcceptancePage } from '../../features/creator-portal/terms-acceptance-page.js';
import { refreshCreatorCheck } from '../../features/identity/api/check-creator.js';

/** Acceptance of the creator terms; the menu then links the dashboard. */
export default function Page(): React.ReactNode {
  return <TermsAcceptancePage onAccepted={refreshCreatorCheck} />;
}
