// Runs BOSS (Andrews et al. 2023, "Fast scalable and accurate discovery of DAGs using the best
// order score search and grow-shrink trees"), as the program Tetrad has it, for
// score-against-time.R:
//
//   java -cp CLASSPATH bench/boss.java FILE.csv discrete|gaussian
//
// FILE.csv has a line of names, then rows of numbers; discrete ones are codes 0, 1, ..., each of
// which occurs. The first line of the answer is "# " and the seconds of the search, scoring
// included; what follows is a table of the arcs of its DAG.
//
// BIC with penalty discount 1, which is bnlearn's but for a constant and, in a Gaussian node, some
// (parents + 1)^2 / (4 rows): the variance has another denominator. One thread, the columns in
// their order, one start, no backward search.

import edu.cmu.tetrad.data.BoxDataSet;
import edu.cmu.tetrad.data.ContinuousVariable;
import edu.cmu.tetrad.data.DataSet;
import edu.cmu.tetrad.data.DiscreteVariable;
import edu.cmu.tetrad.data.DoubleDataBox;
import edu.cmu.tetrad.data.VerticalIntDataBox;
import edu.cmu.tetrad.graph.Graph;
import edu.cmu.tetrad.graph.Node;
import edu.cmu.tetrad.search.Boss;
import edu.cmu.tetrad.search.PermutationSearch;
import edu.cmu.tetrad.search.score.DiscreteBicScore;
import edu.cmu.tetrad.search.score.Score;
import edu.cmu.tetrad.search.score.SemBicScore;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class RunBoss {
  public static void main(String[] arguments) throws Exception {
    PrintStream answer = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream())); // where Tetrad prints notes
    DataSet data = read(Files.readAllLines(Path.of(arguments[0])), arguments[1].equals("discrete"));

    long start = System.nanoTime();
    Graph network = search(bic(data));
    answer.println("# " + (System.nanoTime() - start) / 1e9);
    answer.println("from,to");
    for (Node to : network.getNodes())
      for (Node from : network.getParents(to)) answer.println(from + "," + to);
    answer.flush();
  }

  private static Graph search(Score score) throws InterruptedException {
    Boss boss = new Boss(score);
    boss.setNumThreads(1);
    boss.setNumStarts(1);
    boss.setUseDataOrder(true);
    boss.setUseBes(false);
    return new PermutationSearch(boss).search(false); // false: a DAG, not its class
  }

  private static Score bic(DataSet data) {
    if (data.isDiscrete()) {
      DiscreteBicScore score = new DiscreteBicScore(data);
      score.setPenaltyDiscount(1);
      return score;
    }
    return new SemBicScore(data, 1, true);
  }

  private static DataSet read(List<String> lines, boolean discrete) {
    List<String> names = Arrays.asList(lines.get(0).split(","));
    double[][] rows = new double[lines.size() - 1][];
    for (int i = 0; i < rows.length; i++) rows[i] = numbers(lines.get(i + 1));
    return discrete ? ofCodes(names, rows) : ofNumbers(names, rows);
  }

  private static double[] numbers(String line) {
    return Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray();
  }

  private static DataSet ofNumbers(List<String> names, double[][] rows) {
    List<Node> variables = new ArrayList<>();
    for (String name : names) variables.add(new ContinuousVariable(name));
    return new BoxDataSet(new DoubleDataBox(rows), variables);
  }

  private static DataSet ofCodes(List<String> names, double[][] rows) {
    int[][] columns = new int[names.size()][rows.length];
    List<Node> variables = new ArrayList<>();
    for (int j = 0; j < columns.length; j++) {
      for (int i = 0; i < rows.length; i++) columns[j][i] = (int) rows[i][j];
      int levels = Arrays.stream(columns[j]).max().getAsInt() + 1;
      variables.add(new DiscreteVariable(names.get(j), levels));
    }
    return new BoxDataSet(new VerticalIntDataBox(columns), variables);
  }
}
