// The placeholders that a spoken text may contain.
export function Placeholders() {
  return (
    <details class="small">
      <summary>What {'{{…}}'} stands for</summary>
      <ul class="placeholders">
        <li>
          <code>{'{{businessName}}'}</code> and <code>{'{{agentName}}'}</code>: the names
        </li>
        <li>
          <code>{'{{callerName}}'}</code>: the contact's name, where it is known
        </li>
        <li>
          <code>{'{{dueDate}}'}</code> or any other name: the contact's variable of this name
        </li>
        <li>
          A name that nothing fills is left out, with the comma and the blank before it: "Hi {'{{callerName}}'},
          welcome" becomes "Hi, welcome".
        </li>
      </ul>
    </details>
  );
}
