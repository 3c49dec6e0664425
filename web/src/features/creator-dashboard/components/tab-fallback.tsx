/** Keeps the place of a tab while its code loads. */
export function TabFallback(): React.ReactNode {
  return (
    <div aria-busy="true" className="min-h-96">
      <span className="sr-only">Loading...</span>
    </div>
  );
}
