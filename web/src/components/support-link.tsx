const SUPPORT_EMAIL = 'support@fanvas.example';

/** Link to the support address. */
export function SupportLink(): React.ReactNode {
  return (
    <a
      translate="no"
      href={`mailto:${SUPPORT_EMAIL}`}
      className="text-ink underline underline-offset-4 hover:no-underline"
    >
      {SUPPORT_EMAIL}
    </a>
  );
}
