// The placeholders that a spoken text may contain.
import { t } from '../words/words.ts';

export function Placeholders() {
  return (
    <details class="small">
      <summary>{t('What {placeholder} stands for', { placeholder: '{{…}}' })}</summary>
      <ul class="placeholders">
        <li>
          <code>{'{{businessName}}'}</code>, <code>{'{{agentName}}'}</code>: {t('the names')}
        </li>
        <li>
          <code>{'{{callerName}}'}</code>: {t('the name of the contact, where it is known')}
        </li>
        <li>
          <code>{'{{dueDate}}'}</code>: {t('this or any other name stands for the contact’s variable of this name')}
        </li>
        <li>
          {t(
            'A name that nothing fills is left out, with the comma and the blank before it: “Hi {placeholder}, welcome” becomes “Hi, welcome”.',
            { placeholder: '{{callerName}}' },
          )}
        </li>
      </ul>
    </details>
  );
}
