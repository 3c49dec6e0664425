import { Ban } from 'lucide-react';
import { SUSPENSION_MESSAGES, suspensionText } from '../../../src/contract/moderation.js';
import { useRpc } from '../lib/use-rpc.js';
import { Banner } from './badge.js';

/** The signed-in person's suspension with its reason and the way to appeal. Nothing without one. */
export function SuspensionNotice({ className }: { readonly className?: string }): React.ReactNode {
  const { data } = useRpc('get_own_suspension_by_jwt', {}, { staleTime: 60_000 });
  if (!data) return null;
  return (
    <Banner tone="warn" icon={<Ban aria-hidden />} className={className}>
      <p className="font-[620]">{suspensionText(data.until)}</p>
      <p className="mt-1">Reason: {data.reason}</p>
      <p className="mt-1">{SUSPENSION_MESSAGES.appeal}</p>
    </Banner>
  );
}
