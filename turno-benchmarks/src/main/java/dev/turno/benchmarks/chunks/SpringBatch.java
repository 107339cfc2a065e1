package dev.turno.benchmarks.chunks;

import com.zaxxer.hikari.HikariDataSource;
import dev.turno.testkit.database.FreshDatabase;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.support.MapJobRegistry;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.support.TaskExecutorJobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.repository.support.JdbcJobRepositoryFactoryBean;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ItemStreamReader;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.item.database.Order;
import org.springframework.batch.infrastructure.item.database.builder.JdbcBatchItemWriterBuilder;
import org.springframework.batch.infrastructure.item.database.builder.JdbcCursorItemReaderBuilder;
import org.springframework.batch.infrastructure.item.database.builder.JdbcPagingItemReaderBuilder;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Spring Batch's chunk-oriented step with its JDBC job repository, so that it can be restarted as a run can: a cursor that the
 * server streams, or pages by key; its batch writer.
 */
record SpringBatch(String who, boolean cursor) implements Contestant {

    @Override
    public Instance open(FreshDatabase database) throws Exception {
        HikariDataSource pool = database.newPool(database.url(), Chunks.CONNECTIONS);
        new ResourceDatabasePopulator(new ClassPathResource("org/springframework/batch/core/schema-postgresql.sql"))
                .execute(pool);
        PlatformTransactionManager transactions = new JdbcTransactionManager(pool);
        JobRepository repository = repository(pool, transactions);
        TaskExecutorJobOperator operator = new TaskExecutorJobOperator();
        operator.setJobRepository(repository);
        operator.setJobRegistry(new MapJobRegistry());
        operator.afterPropertiesSet();
        AtomicLong number = new AtomicLong();
        return new Instance() {
            @Override
            public void run() throws Exception {
                Step step = new StepBuilder("step", repository)
                        .<Account, Account>chunk(Chunks.PAGE)
                        .reader(reader(pool))
                        .processor(Account::plusOne)
                        .writer(writer(pool))
                        .transactionManager(transactions)
                        .build();
                Job job = new JobBuilder("add", repository).start(step).build();
                JobExecution execution = operator.start(
                        job,
                        new JobParametersBuilder()
                                .addLong("number", number.incrementAndGet())
                                .toJobParameters());
                if (execution.getStatus() != BatchStatus.COMPLETED) {
                    throw new IllegalStateException(
                            "The job is " + execution + " " + execution.getAllFailureExceptions());
                }
            }

            @Override
            public void close() {
                pool.close();
            }
        };
    }

    private static JobRepository repository(HikariDataSource pool, PlatformTransactionManager transactions)
            throws Exception {
        JdbcJobRepositoryFactoryBean factory = new JdbcJobRepositoryFactoryBean();
        factory.setDataSource(pool);
        factory.setTransactionManager(transactions);
        factory.afterPropertiesSet();
        return factory.getObject();
    }

    private ItemStreamReader<Account> reader(HikariDataSource pool) throws Exception {
        if (cursor) {
            return new JdbcCursorItemReaderBuilder<Account>()
                    .name("accounts")
                    .dataSource(pool)
                    .sql("select id, amount from account order by id")
                    .rowMapper((row, n) -> Account.read(row))
                    .fetchSize(Chunks.PAGE)
                    .connectionAutoCommit(false)
                    .verifyCursorPosition(false)
                    .build();
        }
        return new JdbcPagingItemReaderBuilder<Account>()
                .name("accounts")
                .dataSource(pool)
                .selectClause("id, amount")
                .fromClause("account")
                .sortKeys(Map.of("id", Order.ASCENDING))
                .rowMapper((row, n) -> Account.read(row))
                .pageSize(Chunks.PAGE)
                .fetchSize(Chunks.PAGE)
                .build();
    }

    private static ItemWriter<Account> writer(HikariDataSource pool) {
        var writer = new JdbcBatchItemWriterBuilder<Account>()
                .dataSource(pool)
                .sql(Account.UPDATE)
                .itemPreparedStatementSetter((account, update) -> account.bind(update))
                .build();
        writer.afterPropertiesSet();
        return writer;
    }
}
