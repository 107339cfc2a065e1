package dev.turno.certification.authority;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The text of an answer, which is given up when it is longer than allowed. Belongs to one answer. */
final class LimitedText implements HttpResponse.BodySubscriber<String> {

    private final HttpResponse.BodySubscriber<String> text =
            HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8);
    private final long most;
    private long read;
    private Flow.@Nullable Subscription subscription;

    LimitedText(long most) {
        this.most = most;
    }

    @Override
    public CompletionStage<String> getBody() {
        return text.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        text.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
        read += part.stream().mapToLong(ByteBuffer::remaining).sum();
        if (read <= most) {
            text.onNext(part);
        } else if (subscription != null) {
            subscription.cancel();
            text.onError(new IOException("The answer has more than " + most + " bytes."));
        }
    }

    @Override
    public void onError(Throwable why) {
        text.onError(why);
    }

    @Override
    public void onComplete() {
        text.onComplete();
    }
}
