// These functions are sent to the page as text, and run there in an isolated world. They must not use anything outside of them.

/** The members of DOM elements that these functions use. */
interface Field {
  readonly localName: string;
  readonly isContentEditable?: boolean;
  type: string;
  value: string;
  readonly control?: Field | null;
  closest(selector: string): Field | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  readonly shadowRoot?: { readonly activeElement: Field | null } | null;
}
interface Canvas {
  getContext(kind: '2d'): { fillStyle: string };
}
declare const document: {
  createElement(name: 'input'): Field;
  createElement(name: 'canvas'): Canvas;
  readonly activeElement: Field | null;
};
declare function getSelection(): { collapseToEnd(): void };

export function isEditable(element: unknown): boolean {
  return (element as Field).isContentEditable === true;
}

/** Puts the caret at the end of the selection. */
export function caretToEnd(): void {
  getSelection().collapseToEnd();
}

/**
 * Whether a field is for a password, a code that is sent to its owner, or a card: by its type, its `autocomplete` (HTML, 4.10.18.7),
 * its name and label, and whether it takes a single character, as the boxes of codes do.
 * @param hasFocus it is not the element, but the one that has the focus; true if that is in a frame, or not known
 */
export function isForSecret(element: unknown, hasFocus: boolean): boolean {
  let field = hasFocus ? document.activeElement : (element as Field);
  while (hasFocus && field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  if (field === null || field.localName === 'iframe' || field.localName === 'frame') return true;
  const isControl = field.localName === 'input' || field.localName === 'textarea';
  const input = isControl ? field : (field.closest('label')?.control ?? field);
  const told = (name: string) => input.getAttribute(name) ?? '';
  if (input.localName === 'input' && input.type === 'password') return true;
  if (/(?:^|\s)(?:(?:current|new)-password|one-time-code|cc-[a-z-]+)(?:\s|$)/i.test(told('autocomplete')))
    return true;
  if (told('maxlength') === '1') return true;
  const names = [told('name'), told('id'), told('aria-label'), told('placeholder')].join(' ');
  return /pass(?!eng|port|age)|pwd|kennwort|contrase|senha|secret|token|\botp|(?:\b|_)pin(?:\b|_)|cvv|cvc|card.?num|security.?code/i.test(
    names,
  );
}

/**
 * Whether a control rejects a value, by the value sanitization algorithm of its type (HTML, 4.10.5.1), and what it accepts instead;
 * null: it accepts the value, perhaps in another format. A copy of the control is used, so that no script of the page notices.
 */
export function rejectedValue(element: unknown, value: string): { type: string; accepted: string } | null {
  const field = element as Field;
  const input = field.localName === 'input' ? field : (field.closest('label')?.control ?? field);
  const wanted = value.trim();
  if (input.localName !== 'input' || wanted === '') return null;
  const { type } = input;
  const copy = document.createElement('input');
  copy.type = type;
  for (const name of ['min', 'max', 'step']) {
    const limit = input.getAttribute(name);
    if (limit !== null) copy.setAttribute(name, limit);
  }
  copy.value = wanted;
  const accepted = copy.value;
  return isAccepted() ? null : { type, accepted };

  function isAccepted(): boolean {
    switch (type) {
      case 'date':
      case 'time':
      case 'datetime-local':
      case 'month':
      case 'week':
      case 'number':
        return accepted !== '';
      case 'range':
        return Number(accepted) === Number(wanted);
      case 'color': {
        // A canvas writes colours as the control does, and keeps its colour if a new one is invalid.
        const canvas = document.createElement('canvas').getContext('2d');
        canvas.fillStyle = '#010203';
        canvas.fillStyle = wanted;
        return canvas.fillStyle === accepted;
      }
      default:
        return true;
    }
  }
}
