package dev.turno.simulation;

/** The product with one of its rules taken out, by changing its statements on their way to the database. */
public enum Broken {
    NOTHING,
    NO_FENCE_CHECK,
    NO_STATUS_CHECK,
    NO_IDEMPOTENT_FINISH,
    NO_REAPED_CHECK_IN_TAKE,
    NO_REAPED_CHECK_IN_RENEW,
    NO_BURST_FREEZE,
    NO_HEAD_CHECK_IN_LANES,
    NO_LOCK_GUARD;

    public String change(String sql) {
        return switch (this) {
            case NOTHING -> sql;
            case NO_FENCE_CHECK ->
                sql.replace("t.fence = ?", "(t.fence = ? or true)")
                        .replace("t.fence = v.fence", "(t.fence = v.fence or true)")
                        .replace("t.fence = (select max(v.fence)", "0 <= (select max(v.fence)");
            case NO_STATUS_CHECK ->
                // Only what is asked: a take of MariaDB sets the state and the fence in the same words.
                sql.contains(".fence = ") ? sql.replace("and t.state = 'DOING'", "and t.state is not null") : sql;
            case NO_IDEMPOTENT_FINISH ->
                sql.replace(
                                "select id, state, fence, holder, lane_id",
                                "select id, case state when 'DONE' then 'CANCELLED' else state end as state, fence, holder, lane_id")
                        .replace(
                                "select t.id, t.state, t.fence",
                                "select t.id, case t.state when 'DONE' then 'CANCELLED' else t.state end as state, t.fence")
                        .replace("select id, state, fence, over_fence", "select id, state, fence, 0 as over_fence");
            case NO_REAPED_CHECK_IN_TAKE ->
                sql.replace(
                                "exists (select 1 from turno_holder where id = ? and reaped_at is null)",
                                "exists (select 1 from turno_holder where id = ?)")
                        .replace("h.id = ? and h.reaped_at is null)", "h.id = ?)");
            case NO_REAPED_CHECK_IN_RENEW ->
                sql.matches("(?s)update turno_holder\\s+set lease_until.*")
                        ? sql.replace(" and reaped_at is null", "")
                        : sql;
            case NO_BURST_FREEZE ->
                sql.replace("when frozen then flush_to", "when false then flush_to")
                        .replace("when frozen then flush_from", "when false then flush_from");
            case NO_HEAD_CHECK_IN_LANES ->
                // What is put behind others in its lane may be taken at once, instead of at the far moment.
                sql.contains("into turno_inbox (") ? sql.replace("9999-12-31", "2000-01-01") : sql;
            case NO_LOCK_GUARD ->
                sql.replaceAll(
                        "fence = \\? and lease_id = \\?\\s+for update$",
                        "(fence = ? or true) and (lease_id = ? or true) for update");
        };
    }
}
