// A password manager may fill a form and send it in one step, with or without the events of typing. When a form is
// sent, each field that shows something else than when it was drawn is entered, and the form is drawn again, before
// the form's own handler sees the values.
import { options } from 'preact';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Shown = string | boolean;

const drawn = new WeakMap<Control, Shown>();

const isTicked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');
const shownBy = (control: Control): Shown => (isTicked(control) ? control.checked : control.value);

/** For the `ref` of a control, a new one with each drawing: remembers what the control shows after it. */
export const remembered =
  () =>
  (control: Control | null): void => {
    if (control !== null) drawn.set(control, shownBy(control));
  };

interface Change {
  control: Control;
  shown: Shown;
}

function changesIn(form: HTMLFormElement): Change[] {
  return [...form.elements].flatMap((element) => {
    const control = element as Control;
    const was = drawn.get(control);
    if (was === undefined || shownBy(control) === was) return [];
    // A radio button that is no longer chosen has nothing to say.
    if (control.type === 'radio' && shownBy(control) === false) return [];
    return [{ control, shown: shownBy(control) }];
  });
}

function enter(form: HTMLFormElement): void {
  // All are read first: drawing one anew puts the others back.
  const changes = changesIn(form);
  if (changes.length === 0) return;
  const before = options.debounceRendering;
  // Each is drawn at once: the handler of the next may build on the values with which it was drawn.
  options.debounceRendering = (draw) => draw();
  try {
    for (const { control, shown } of changes) {
      if (isTicked(control)) control.checked = shown === true;
      else control.value = String(shown);
      const isChosen = isTicked(control) || control instanceof HTMLSelectElement;
      control.dispatchEvent(new Event(isChosen ? 'change' : 'input', { bubbles: true }));
    }
  } finally {
    if (before === undefined) delete options.debounceRendering;
    else options.debounceRendering = before;
  }
}

export function enterWhenSent(): void {
  addEventListener('submit', ({ target }) => target instanceof HTMLFormElement && enter(target), true);
}
