// The group that forms put their fields into.
import type { ComponentChildren } from 'preact';

/** Fields that belong together, under a heading. */
export function Fieldset({
  title,
  hint,
  fault,
  children,
}: {
  title: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <fieldset class="fieldset">
      <legend>{title}</legend>
      {hint !== undefined && <p class="small soft">{hint}</p>}
      {children}
      {fault !== undefined && (
        <span class="small fault" role="alert">
          {fault}
        </span>
      )}
    </fieldset>
  );
}
