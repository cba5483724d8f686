// A checkbox without a form: the service is asked as soon as it is pressed.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Checkbox } from './field.tsx';

interface SentCheckboxProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** As the service has it. */
  value: boolean;
  /** Resolves when the service has answered, whatever it said. */
  onSend: (value: boolean) => Promise<unknown>;
}

/** Until the answer it shows the wish: whatever else is drawn meanwhile would take the click back. */
export function SentCheckbox({ value, onSend, ...words }: SentCheckboxProps) {
  const [wish, setWish] = useState<boolean | null>(null);
  const send = async (wished: boolean): Promise<void> => {
    setWish(wished);
    await onSend(wished);
    setWish(null);
  };
  return <Checkbox {...words} value={wish ?? value} onChange={(wished) => void send(wished)} />;
}
