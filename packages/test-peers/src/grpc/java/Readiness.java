import io.grpc.stub.ServerCallStreamObserver;

/** Lets a thread wait until its call takes more, or is over. */
final class Readiness {
  private final ServerCallStreamObserver<?> answers;

  Readiness(ServerCallStreamObserver<?> answers) {
    this.answers = answers;
    answers.setOnReadyHandler(this::changed);
    answers.setOnCancelHandler(this::changed);
  }

  /** False: the call was cancelled. */
  synchronized boolean await() throws InterruptedException {
    while (!answers.isReady() && !answers.isCancelled()) {
      wait();
    }
    return !answers.isCancelled();
  }

  synchronized void awaitEnd() throws InterruptedException {
    while (!answers.isCancelled()) {
      wait();
    }
  }

  private synchronized void changed() {
    notifyAll();
  }
}
