import type { OwnCreator } from '../../../../../src/contract/creators.js';
import { Switch } from '../../../components/switch.js';
import { Section } from './section.js';
import { usePause } from './use-pause.js';

/** Stops new pictures at once, until the creator opens the page again. */
export function Pause({ creator }: { readonly creator: OwnCreator }): React.ReactNode {
  const { paused, busy, set } = usePause(creator);
  const withdrawn = creator.withdrawn_at !== null;
  return (
    <Section
      id="pause"
      title="Pause"
      aside={
        <Switch
          label="Open for fans"
          checked={!paused && !withdrawn}
          busy={busy}
          disabled={withdrawn}
          onChange={(open) => set(!open)}
        />
      }
      lead="While paused, no new picture can be ordered. Those being drawn are finished, your gallery stays, and what you have earned is paid."
    >
      <p role="status" className="mt-2 text-14 text-ink-2">
        {withdrawn
          ? 'You have withdrawn your consent, so there is nothing to pause.'
          : paused && 'Paused. Fans read on your page that you are taking a break.'}
      </p>
    </Section>
  );
}
