/** Tables of the creator's own controls. */
export interface ControlTables {
  /**
   * Tasks for admins: the model of a withdrawn creator must be deleted at the image provider. At most one is open for a
   * creator. Accepting the terms again cancels it.
   */
  creator_model_deletion: {
    id: string;
    creator_id: string;
    /** The model to delete: a deployment or a version. */
    model: string;
    requested_at: Date;
    due_at: Date;
    done_at: Date | null;
    done_by: string | null;
    cancelled_at: Date | null;
  };
  /** Words and phrases that no prompt for this creator may contain. Never public. */
  creator_blocked_term: {
    id: string;
    creator_id: string;
    /** As the creator wrote it. */
    term: string;
    /** Compared to find repeated terms. */
    term_key: string;
    added_at: Date;
  };
  /** Prompts that a term stopped, by UTC month (YYYY-MM). The prompts are not stored. */
  creator_blocked_stop: { term_id: string; month: string; stopped: number };
  /** Payout details of a creator, encrypted. */
  creator_payout_details: {
    creator_id: string;
    /** Names the key that they are encrypted with. */
    key_id: string;
    sealed: Buffer;
    changed_at: Date;
    /** The salt of the hash in the act; null for details that were saved before there were hashes. */
    salt: string | null;
  };
  /** Which payout details were changed, and when. Never their values. */
  creator_payout_change: { id: string; creator_id: string; at: Date; changed: string[] };
}
