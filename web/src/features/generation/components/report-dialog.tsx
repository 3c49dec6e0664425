import { Flag } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { REPORT_NOTE_MAX_LENGTH } from '../../../../../src/contract/limits.js';
import type { ReportReason } from '../../../../../src/contract/generation.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/dialog.js';
import { toast } from '../../../components/toast.js';
import { ApiError, rpc } from '../../../lib/api.js';
import { IDENTITY_LOADING, viewer, whenSettled } from '../../../lib/auth.js';
import { REPORT_REASONS } from '../../../lib/report-reasons.js';
import { useWayBack } from '../../../lib/way-back.js';
import { problemOf } from '../../../lib/problem-of.js';

/** Reports another fan's image to the admins. Visitors sign in first. */
export function ReportImage({ generationId }: { generationId: string }): React.ReactNode {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [opening, setOpening] = useState(false);
  const back = useWayBack();
  const navigate = useNavigate();
  const first = useRef<HTMLInputElement>(null);
  const id = useId();

  const begin = async (): Promise<void> => {
    setOpening(true);
    await whenSettled();
    setOpening(false);
    if (viewer().status === 'signed-in') return setOpen(true);
    if (viewer().status === 'loading') return void toast({ title: IDENTITY_LOADING });
    await navigate('/sign-in', { state: back });
  };

  const change = (next: boolean): void => {
    if (!busy) setOpen(next);
  };

  const send = async (): Promise<void> => {
    if (reason === null) {
      setProblem('Please choose a reason.');
      first.current?.focus();
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      const { already_reported: before } = await rpc('report_generation', {
        p_generation_id: generationId,
        p_reason: reason,
        p_note: note,
      });
      setOpen(false);
      setReason(null);
      setNote('');
      toast({
        kind: 'success',
        title: before ? 'You have reported this image before.' : 'Thank you for the report.',
        description: 'Our team will review it.',
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button kind="quiet" busy={opening} busyLabel="Opening..." onClick={() => void begin()}>
        <Flag aria-hidden className="size-[18px]" />
        Report
      </Button>
      <Modal
        open={open}
        onOpenChange={change}
        title="Report this image"
        description="Tell us what is wrong with it. Only our team can see who reported it."
        footer={
          <>
            <Button kind="solid" busy={busy} busyLabel="Sending..." onClick={() => void send()}>
              Send report
            </Button>
            <Button aria-disabled={busy} onClick={() => change(false)}>
              Cancel
            </Button>
          </>
        }
      >
        <fieldset className="mt-4" aria-describedby={problem === null ? undefined : `${id}-problem`}>
          <legend className="text-14 font-[600]">Reason</legend>
          <div className="mt-1 grid auto-rows-fr divide-y divide-line">
            {REPORT_REASONS.map(([value, label], index) => (
              <label
                key={value}
                className="flex h-full min-h-11 cursor-pointer items-center gap-3 py-1 text-16 leading-5"
              >
                <input
                  ref={index === 0 ? first : undefined}
                  type="radio"
                  name={`${id}-reason`}
                  value={value}
                  checked={reason === value}
                  className="size-[18px] shrink-0 accent-(--seal-mark)"
                  onChange={() => {
                    setReason(value);
                    setProblem(null);
                  }}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
          <p id={`${id}-problem`} role="alert" className="text-14 text-bad">
            {problem}
          </p>
        </fieldset>
        <label htmlFor={`${id}-note`} className="mt-4 block text-14 font-[600]">
          Anything to add? <span className="font-[400] text-ink-2">(optional)</span>
        </label>
        <textarea
          id={`${id}-note`}
          rows={3}
          value={note}
          maxLength={REPORT_NOTE_MAX_LENGTH}
          className="mt-1.5 block w-full resize-none rounded-ctl border border-line-strong bg-bg px-3 py-2 text-16"
          onChange={(event) => setNote(event.target.value)}
        />
        <p className="mt-1 text-right text-13 tabular-nums text-ink-2">
          {note.length} / {REPORT_NOTE_MAX_LENGTH}
        </p>
      </Modal>
    </>
  );
}
