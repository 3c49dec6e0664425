import { type LucideIcon, RectangleHorizontal, RectangleVertical, Square } from 'lucide-react';
import { useId } from 'react';
import { ASPECT_RATIOS, DRAWN_SHAPES, type AspectRatio } from '../../../../../src/contract/aspect-ratios.js';

interface AspectRatioChoiceProps {
  readonly value: AspectRatio;
  readonly disabled: boolean;
  readonly onChange: (value: AspectRatio) => void;
}

const LOOKS: Readonly<Record<AspectRatio, readonly [label: string, Icon: LucideIcon]>> = {
  square: ['Square', Square],
  portrait: ['Portrait', RectangleVertical],
  landscape: ['Landscape', RectangleHorizontal],
};

/** The shape of the next image: a row of words on phones, icons next to the other controls on wider screens. */
export function AspectRatioChoice({ value, disabled, onChange }: AspectRatioChoiceProps): React.ReactNode {
  const name = useId();
  return (
    <fieldset
      disabled={disabled}
      className="order-3 flex h-10 min-w-0 basis-full rounded-ctl border border-line p-[3px] @min-[34rem]:mb-px @min-[34rem]:h-12 @min-[34rem]:basis-auto"
    >
      <legend className="sr-only">Aspect ratio</legend>
      {ASPECT_RATIOS.map((shape) => {
        const [label, Icon] = LOOKS[shape];
        return (
          <label
            key={shape}
            title={`${label}, ${DRAWN_SHAPES[shape].ratio}`}
            className="relative flex flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-[9px] border border-transparent text-14 text-ink-2 outline-focus hover:text-ink has-checked:border-line-strong has-checked:bg-hover has-checked:text-ink has-disabled:cursor-default has-disabled:text-ink-3 has-focus-visible:outline-2 @min-[34rem]:w-9"
          >
            <input
              type="radio"
              name={name}
              value={shape}
              checked={value === shape}
              className="absolute inset-0 cursor-[inherit] opacity-0"
              onChange={() => onChange(shape)}
              onKeyDown={(event) => {
                // Enter in a radio button would send the form, and an image costs credits.
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
            <Icon aria-hidden className="size-[18px] shrink-0" />
            <span className="@min-[34rem]:sr-only">{label}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
