import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** One file, passed to `onChange` as soon as it is chosen. */
export function FileField({
  label,
  hint,
  fault,
  accept,
  disabled,
  onChange,
}: {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  accept: string;
  disabled?: boolean;
  onChange: (file: File) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="file"
        accept={accept}
        disabled={disabled}
        aria-describedby={`${id}-about`}
        aria-invalid={fault !== undefined}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file may be chosen again after a fault.
          currentTarget.value = '';
          if (file !== undefined) onChange(file);
        }}
      />
      <span class={fault === undefined ? 'hint' : 'fault'} id={`${id}-about`}>
        {fault ?? hint}
      </span>
    </div>
  );
}
