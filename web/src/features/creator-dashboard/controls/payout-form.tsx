import { CircleAlert } from 'lucide-react';
import { useEffect, useId } from 'react';
import { useForm, type FieldErrors, type UseFormRegisterReturn } from 'react-hook-form';
import { CONTROL_MESSAGES } from '../../../../../src/contract/creator-controls.js';
import type { PayoutDetails, TaxStatus } from '../../../../../src/contract/creators.js';
import { Button } from '../../../components/button.js';
import { TextField } from '../../../components/text-field.js';
import { useRpcEffect } from '../../../lib/use-rpc-effect.js';
import { problemOf } from '../../../lib/problem-of.js';
import { COUNTRIES } from './countries.js';
import { TAX_STATUSES } from './tax-statuses.js';

interface PayoutFormProps {
  /** The present details, to begin with; the account is always entered again. */
  readonly details: PayoutDetails | null;
  readonly onClose: (saved: boolean) => void;
}

interface Fields {
  readonly legalName: string;
  readonly country: string;
  readonly account: string;
  readonly taxStatus: TaxStatus | '';
}

const LEGAL_NAME_MAX_LENGTH = 200;

/** Which field a refusal of the server belongs to. */
const FIELD_OF: Readonly<Record<string, keyof Fields>> = {
  [CONTROL_MESSAGES.legalName]: 'legalName',
  [CONTROL_MESSAGES.country]: 'country',
  [CONTROL_MESSAGES.iban]: 'account',
  [CONTROL_MESSAGES.account]: 'account',
};

/** Enters or replaces the payout details. */
export function PayoutForm({ details, onClose }: PayoutFormProps): React.ReactNode {
  const save = useRpcEffect('save_own_payout_details_by_jwt', ['get_own_payout_details_by_jwt']);
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Fields>({
    defaultValues: {
      legalName: details?.legal_name ?? '',
      country: details?.country ?? '',
      account: '',
      taxStatus: details?.tax_status ?? '',
    },
  });
  const { errors } = formState;
  // A button has just opened the form.
  useEffect(() => setFocus('legalName'), [setFocus]);

  const submit = ({ legalName, country, account, taxStatus }: Fields): void => {
    if (save.isPending || taxStatus === '') return;
    save.mutate(
      { p_legal_name: legalName.trim(), p_country: country, p_account: account.trim(), p_tax_status: taxStatus },
      {
        onSuccess: () => onClose(true),
        onError: (error) => {
          const message = problemOf(error);
          setError(FIELD_OF[message] ?? 'root', { message }, { shouldFocus: true });
        },
      },
    );
  };

  return (
    <form
      aria-label="Payout details"
      noValidate
      className="mt-4 grid max-w-[560px] gap-5"
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      <TextField
        label="Legal name"
        hint="As it is written on your bank account."
        autoComplete="name"
        maxLength={LEGAL_NAME_MAX_LENGTH}
        error={errors.legalName?.message}
        {...register('legalName', { validate: filled(CONTROL_MESSAGES.legalName) })}
      />
      <SelectField
        label="Country"
        problem={errors.country}
        options={COUNTRIES.map(({ code, name }) => [code, name])}
        field={register('country', { required: 'Please choose a country.' })}
      />
      <TextField
        label="Account"
        hint={
          details
            ? `IBAN, or an account number with its bank code. Enter the one ending ${details.account_ending} again, or a new one.`
            : 'IBAN, or an account number with its bank code.'
        }
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        error={errors.account?.message}
        {...register('account', { validate: filled(CONTROL_MESSAGES.account) })}
      />
      <SelectField
        label="Tax status"
        problem={errors.taxStatus}
        options={Object.entries(TAX_STATUSES)}
        field={register('taxStatus', { required: 'Please choose your tax status.' })}
      />
      {errors.root && (
        <p role="alert" className="text-14 text-bad">
          {errors.root.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="solid" busy={save.isPending} busyLabel="Saving...">
          Save details
        </Button>
        <Button kind="quiet" aria-disabled={save.isPending} onClick={() => !save.isPending && onClose(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const filled = (message: string) => (value: string) => value.trim() !== '' || message;

interface SelectFieldProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly field: UseFormRegisterReturn;
  readonly problem: FieldErrors<Fields>['country'];
}

function SelectField({ label, options, field, problem }: SelectFieldProps): React.ReactNode {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-14 font-[600]">
        {label}
      </label>
      <select
        {...field}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && `${id}-error`}
        className="mt-1.5 block h-12 w-full rounded-ctl border border-line-strong bg-bg px-3 text-16"
      >
        <option value="">Please choose</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {problem && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 flex items-center gap-1.5 text-14 text-bad">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          <span>{problem.message}</span>
        </p>
      )}
    </div>
  );
}
