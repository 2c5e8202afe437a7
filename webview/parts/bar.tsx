import type { JSX } from 'preact';

/** The votes of a candidate as a bar; the numbers beside it say the same. Shares are 0 to 1. */
export function VoteBar({
  shareFromOthers,
  shareSelf,
}: {
  readonly shareFromOthers: number;
  readonly shareSelf: number;
}): JSX.Element {
  return (
    <div class="bar" aria-hidden="true">
      <i class="bar-others" style={{ inlineSize: percent(shareFromOthers) }} />
      <i class="bar-self" style={{ inlineSize: percent(shareSelf) }} />
    </div>
  );
}

/** How much of a cap is used. */
export function Meter({ share }: { readonly share: number }): JSX.Element {
  return (
    <div class="meter" aria-hidden="true">
      <i style={{ inlineSize: percent(share) }} />
    </div>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
