import { useNextDailyCredits } from '../use-next-daily-credits.js';

interface NextDailyCreditsProps {
  readonly className?: string;
}

/** A sentence on when the fan's next daily credits come. Renders nothing when that is unknown. */
export function NextDailyCredits({ className }: NextDailyCreditsProps): React.ReactNode {
  const next = useNextDailyCredits();
  return (
    next && (
      <p className={className}>
        Your next daily credits come <time dateTime={next.at.toISOString()}>{next.text}</time>.
      </p>
    )
  );
}
