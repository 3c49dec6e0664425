import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { BlockedWords } from './blocked-words.js';
import { Consent } from './consent.js';
import { Pause } from './pause.js';
import { Payouts } from './payouts.js';
import { Pictures } from './pictures.js';
import { openSection, SectionMenu } from './section-menu.js';
import type { ControlsProps } from './use-pause.js';

const SECTIONS = [
  { id: 'pause', title: 'Pause' },
  { id: 'blocked-words', title: 'Blocked words' },
  { id: 'pictures', title: 'Pictures' },
  { id: 'consent', title: 'Consent' },
  { id: 'payouts', title: 'Payouts' },
] as const;

/**
 * The decisions that only the creator takes: pause, blocked words, pictures, consent and payout details. The hash of
 * the address names the section to open at.
 */
export function ControlsTab({ creator, onPageChange }: ControlsProps): React.ReactNode {
  const { hash } = useLocation();
  useEffect(() => {
    const section = SECTIONS.find(({ id }) => hash === `#${id}`);
    if (section) openSection(section.id);
  }, [hash]);
  return (
    <div className="gap-x-14 lg:grid lg:grid-cols-[168px_minmax(0,1fr)]">
      <SectionMenu sections={SECTIONS} />
      <div className="max-w-[920px]">
        <Pause creator={creator} onPageChange={onPageChange} />
        <BlockedWords />
        <Pictures onPageChange={onPageChange} />
        <Consent creator={creator} onPageChange={onPageChange} />
        <Payouts creatorId={creator.id} />
      </div>
    </div>
  );
}
