import { type FieldValues, type Path, type RegisterOptions, type UseFormReturn } from 'react-hook-form';
import { checks } from './application-rules.js';

/** Props of a text field whose value is checked when the form is sent; typing clears its error and the form's. */
export function checkedField<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: Path<Values> & keyof typeof checks,
) {
  const options: RegisterOptions<Values, typeof name> = {
    validate: checks[name],
    onChange: () => {
      form.clearErrors(name);
      form.clearErrors('root');
    },
  };
  // oxlint-disable-next-line syntax/no-message-of-an-error -- the sentence of an own check
  return { ...form.register(name, options), error: form.getFieldState(name, form.formState).error?.message };
}
