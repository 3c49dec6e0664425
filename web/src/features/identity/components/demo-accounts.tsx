import { FlaskConical } from 'lucide-react';
import { Badge } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { toast } from '../../../components/toast.js';
import type { DemoAccess } from '../../../lib/config.js';

/** The demo accounts of the sandbox. A click fills in the form. */
export function DemoAccounts({ demo, canFill }: { demo: DemoAccess; canFill: boolean }): React.ReactNode {
  return (
    <aside
      aria-labelledby="demo-title"
      className="w-full max-w-[420px] rounded-panel border border-line p-6 md:max-w-80"
    >
      <Badge tone="warn" icon={<FlaskConical />}>
        Sandbox
      </Badge>
      <h2 id="demo-title" className="display-sm mt-4 text-24">
        {canFill ? 'Demo accounts' : 'No real e-mail is sent'}
      </h2>
      {canFill ? (
        <>
          <p className="mt-2 text-14 text-ink-2">
            This Fanvas runs on this computer only. The password of each is <Code>{demo.password}</Code>
          </p>
          <ul className="mt-4 border-t border-line">
            {demo.accounts.map(({ email, role }) => (
              <li key={email} className="flex h-14 items-center justify-between gap-3 border-b border-line">
                <div className="min-w-0">
                  <p translate="no" className="truncate text-14 font-[560]">
                    {email}
                  </p>
                  <p className="text-13 text-ink-3">{role}</p>
                </div>
                <Button size={32} aria-label={`Use ${email}`} onClick={() => void use(email, demo.password)}>
                  Use
                </Button>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="mt-2 text-14 text-ink-2">
          Any address will do, with a password of 8 characters or more. The code that would come by e-mail is{' '}
          <Code>{demo.emailCode}</Code>
        </p>
      )}
    </aside>
  );
}

function Code({ children }: { children: React.ReactNode }): React.ReactNode {
  return (
    <code translate="no" className="select-all rounded-[6px] bg-hover px-1.5 py-0.5 font-mono text-13 text-ink">
      {children}
    </code>
  );
}

/** Fills in the widget's fields. Copies the password to the clipboard when the widget shows neither field. */
async function use(email: string, password: string): Promise<void> {
  const filled = [type('identifier', email), type('password', password)];
  if (filled.includes(true)) return;
  await navigator.clipboard.writeText(password);
  toast({ title: 'Password copied', kind: 'success' });
}

function type(name: string, value: string): boolean {
  const field = document.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  if (!field || field.disabled) return false;
  // React listens to the native setter, not to an assignment.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}
