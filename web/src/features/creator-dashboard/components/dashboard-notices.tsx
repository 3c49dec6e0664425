import { Archive, CirclePause, HandHeart, Phone } from 'lucide-react';
import type { OwnCreator } from '../../../../../src/contract/creators.js';
import { Banner } from '../../../components/badge.js';
import { ButtonLink } from '../../../components/button.js';
import { formatDay } from '../dates.js';
import { Named } from '../../../components/name.js';

interface NoticesProps {
  readonly creator: OwnCreator;
  readonly embedded: boolean;
  /** The open tab says itself that the creator has paused. */
  readonly pauseInView?: boolean;
}

/** Whether pictures can be drawn in the creator's style. */
export function hasModel({ deployment_name: deployment, lora_id: lora }: OwnCreator): boolean {
  return deployment !== null || lora !== null;
}

/** Why fans cannot use the creator's page at the moment. Nothing while they can. */
export function DashboardNotices({ creator, embedded, pauseInView = false }: NoticesProps): React.ReactNode {
  const { name, withdrawn_at: withdrawn, paused_at: paused, is_visible: visible } = creator;
  return (
    <div className="mt-6 grid gap-2 empty:hidden">
      {withdrawn !== null && (
        <Banner tone="warn" icon={<HandHeart aria-hidden />}>
          <p>
            <Named
              name={name}
              text={
                embedded
                  ? `${name} withdrew the consent on ${formatDay(withdrawn)}: the page is closed, and what was earned stays payable.`
                  : `You withdrew your consent on ${formatDay(withdrawn)}: your page is closed, what you earned stays yours, and you are welcome back at any time.`
              }
            />
          </p>
          {!embedded && (
            <ButtonLink
              to="/creator/terms-acceptance"
              state={{ flowType: 'existing_creator' }}
              size={32}
              className="mt-3 text-ink"
            >
              Accept again
            </ButtonLink>
          )}
        </Banner>
      )}
      {withdrawn === null && paused !== null && !pauseInView && (
        <Banner tone="warn" icon={<CirclePause aria-hidden />}>
          <p>
            <Named
              name={name}
              text={
                embedded
                  ? `${name} has paused new images since ${formatDay(paused)}.`
                  : `You have paused new images since ${formatDay(paused)}; fans see your gallery and wait for you.`
              }
            />
          </p>
        </Banner>
      )}
      {withdrawn === null && !hasModel(creator) && !embedded && (
        <Banner tone="warn" icon={<Phone aria-hidden />}>
          Your earlier model was deleted. A representative will reach out to train a new one with you.
        </Banner>
      )}
      {!visible && (
        <Banner icon={<Archive aria-hidden />}>
          <p>
            <Named
              name={name}
              text={
                embedded
                  ? `${name} is archived: fans cannot find the page, and finished images stay viewable.`
                  : 'Your page is archived: fans cannot find it, finished images stay viewable, and what you earned stays yours.'
              }
            />
          </p>
        </Banner>
      )}
    </div>
  );
}
