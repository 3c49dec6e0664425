import { Switch } from '../../../components/switch.js';
import { Section } from './section.js';
import { usePause, type ControlsProps } from './use-pause.js';

/** Stops new pictures at once, until the creator opens the page again. */
export function Pause(props: ControlsProps): React.ReactNode {
  const { paused, busy, set } = usePause(props);
  const withdrawn = props.creator.withdrawn_at !== null;
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
