import { type Pool } from 'pg';
import { validate as isUuid } from 'uuid';
import { GRANT_LOT_PREFIX } from '../../credits/index.js';
import { type AdminGrant, type ApprovedGrants } from './policy-check.js';

/**
 * Finds grants of two people in the log of acts: one admin has proposed exactly these credits for this account, and the
 * act of another one has caused the grant. The lot of the grant names the proposal; acts of earlier builds name neither
 * the proposal nor the proposer. One statement a call.
 */
export function approvedGrants(pool: Pool): ApprovedGrants {
  return async (grants) => {
    const named = grants.filter(({ lotId, actId }) => lotId.startsWith(GRANT_LOT_PREFIX) && isUuid(actId));
    if (named.length === 0) return new Set();
    const proposals = named.map(({ lotId }) => lotId.slice(GRANT_LOT_PREFIX.length));
    const { rows } = await pool.query<{ ordinal: number }>(
      `select g.ordinal::int as ordinal
       from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::numeric[])
         with ordinality as g (proposal, act, actor, user_id, amount, ordinal)
       join admin_act approval on approval.id = g.act and approval.kind = 'credits.granted' and approval.closes is null
         and approval.actor_id = g.actor and approval.user_id = g.user_id
       where exists (
         select from admin_act proposed
         where proposed.subject_kind = 'proposal' and proposed.subject_id = g.proposal
           and proposed.kind = 'credits.proposed' and proposed.closes is null
           and proposed.user_id = g.user_id and proposed.actor_id <> g.actor
           and coalesce(approval.body::jsonb #>> '{after,proposal}', g.proposal) = g.proposal
           and coalesce(approval.body::jsonb #>> '{after,proposed_by}', proposed.actor_id) = proposed.actor_id
           and proposed.body::jsonb @> jsonb_build_object(
             'after', jsonb_build_object('kind', 'grant', 'amount', g.amount))
       )`,
      [
        proposals,
        named.map(({ actId }) => actId),
        named.map(({ actorId }) => actorId),
        named.map(({ userId }) => userId),
        named.map(({ amount }) => amount),
      ],
    );
    return new Set(rows.flatMap(({ ordinal }): AdminGrant[] => named.slice(ordinal - 1, ordinal)));
  };
}
