import type { Prices } from '../../domain/cost.ts';
import type { PriceSettings, StoredSetting, StoredSettings } from '../../ports/settings.ts';

export class CurrentPrices implements PriceSettings {
  #current: Prices | null;
  readonly #listeners: (() => void)[] = [];
  readonly isInFile: boolean;

  /** @param ofFile those of `SLUICE_PRICES`; null: there is no file */
  constructor(ofFile: Prices | null) {
    this.isInFile = ofFile !== null;
    this.#current = ofFile;
  }

  readonly current = (): Prices | null => this.#current;

  /** Uses the stored prices from now on, unless there is a file. @param pricesOf reads a stored setting */
  follow(
    settings: Pick<StoredSettings, 'list' | 'onChange'>,
    pricesOf: (json: StoredSetting['json']) => Prices,
  ): void {
    if (this.isInFile) return;
    let json = '';
    const read = () => {
      const [stored = null] = settings.list('prices');
      const next = stored === null ? '' : JSON.stringify(stored.json);
      if (next === json) return;
      json = next;
      this.#current = stored === null ? null : pricesOf(stored.json);
      for (const listener of this.#listeners) listener();
    };
    read();
    settings.onChange(read);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
