import { NothingHere } from '../components/nothing-here.js';

export function NotFoundPage(): React.ReactNode {
  return (
    <NothingHere title="Page not found">
      There is nothing at this address. The link may be old, or a letter may be missing.
    </NothingHere>
  );
}
