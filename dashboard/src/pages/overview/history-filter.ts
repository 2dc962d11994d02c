/** What every link from here to the history carries: the same time, the same user. */
export interface HistoryFilter {
  readonly from: string;
  readonly to: string;
  readonly user_id: string | undefined;
}
