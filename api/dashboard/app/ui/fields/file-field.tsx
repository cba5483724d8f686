// Form fields for one file or several.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FileFieldProps {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  accept: string;
  disabled?: boolean;
}

/** Several files, passed to `onChange` as soon as they are chosen. */
export function FilesField({
  label,
  hint,
  fault,
  accept,
  disabled,
  isSingle = false,
  onChange,
}: FileFieldProps & { isSingle?: boolean; onChange: (files: File[]) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="file"
        accept={accept}
        multiple={!isSingle}
        disabled={disabled}
        aria-describedby={`${id}-about`}
        aria-invalid={fault !== undefined}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file may be chosen again after a fault.
          currentTarget.value = '';
          if (files.length > 0) onChange(files);
        }}
      />
      <span class={fault === undefined ? 'hint' : 'fault'} id={`${id}-about`}>
        {fault ?? hint}
      </span>
    </div>
  );
}

/** One file, passed to `onChange` as soon as it is chosen. */
export const FileField = ({ onChange, ...props }: FileFieldProps & { onChange: (file: File) => void }) => (
  <FilesField {...props} isSingle onChange={([file]) => file !== undefined && onChange(file)} />
);
