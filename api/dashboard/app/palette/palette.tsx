// Finds a page, a record or the calls with a number by typing, and opens it: a list box under a field (WAI-ARIA APG,
// "Editable combobox with list autocomplete").
import { useEffect, useId, useState } from 'preact/hooks';
import { loadPhoneReader, type PhoneReader } from '../phone-reader.ts';
import { go, link, personLink } from '../router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { t } from '../words/words.ts';
import { likelyCountry } from '../zones.ts';
import { type Find, matching, numberIn } from './finds.ts';
import { useContacts, useFinds } from './records.ts';

export default function Palette({ initial, onClose }: { initial: string; onClose: () => void }) {
  const [typed, setTyped] = useState(initial);
  const [chosen, setChosen] = useState(0);
  const { finds, isLoading } = useFinds();
  const number = useNumber(typed);
  const contacts = useContacts(typed);
  const shown = [...(number === null ? [] : allOf(number)), ...matching(finds, typed), ...contacts];
  const at = Math.min(chosen, shown.length - 1);
  const id = useId();
  const option = (index: number) => `${id}-${index}`;

  const open = ({ address }: Find) => {
    onClose();
    go(address);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setChosen((at + step + shown.length) % shown.length);
    }
    const find = shown[at];
    if (event.key === 'Enter' && find !== undefined) {
      event.preventDefault();
      open(find);
    }
  };
  useEffect(() => document.getElementById(option(at))?.scrollIntoView({ block: 'nearest' }), [at]);

  return (
    <Dialog title={t('Go to')} onClose={onClose}>
      <input
        class="palette-field"
        type="text"
        role="combobox"
        aria-label={t('A page, an agent, a business, a campaign, a contact, or a number')}
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={at < 0 ? undefined : option(at)}
        placeholder={t('A page, a name or a number')}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div class="palette" role="listbox" id={id} tabIndex={-1} aria-label={t('Found')}>
        {shown.map((find, index) => (
          <a
            key={`${find.address} ${find.text}`}
            role="option"
            id={option(index)}
            aria-selected={index === at}
            tabIndex={-1}
            href={find.address}
            onClick={onClose}
          >
            <span>{find.text}</span>
            <span class="soft">{find.kind}</span>
          </a>
        ))}
      </div>
      <p class="soft" role="status">
        {shown.length === 0 ? (isLoading ? t('Loading …') : t('Nothing is called so.')) : ''}
      </p>
    </Dialog>
  );
}

const allOf = (number: string): Find[] => [
  { text: number, kind: t('Person'), address: personLink(number) },
  { text: t('Calls with {number}', { number }), kind: t('Calls'), address: link('/calls', { number }) },
];

/** The number that is typed, in E.164; without a country's code it is one of the browser's country. */
function useNumber(typed: string): string | null {
  const digits = numberIn(typed);
  const [reader, setReader] = useState<PhoneReader | null>(null);
  useEffect(() => {
    if (digits !== null && reader === null) loadPhoneReader().then(setReader, () => undefined);
  }, [digits, reader]);
  if (digits === null) return null;
  return reader?.toE164(digits, likelyCountry()) ?? (digits.startsWith('+') ? digits : null);
}
